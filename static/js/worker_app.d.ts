// What the server puts in front of the service worker (league/web/app_shell.py). Browsers do not load this file.
declare const APP: {
  version: string;
  files: string[];
  fresh: boolean;
  offline: string;
  token: string;
  renew: string;
  icon: string;
};
