import "../outbox_bar.js";
import "../app.js";
import "../night/stories.js";
