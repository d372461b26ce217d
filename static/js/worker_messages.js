// The messages between the pages (app.js) and the service worker (worker.js). They go between two versions: the page of
// one asks the worker of the next. So their form stays as it is.
//
// page → worker: takeOver, to the next version: take over if no page needs the former one. former: this page is there,
// remove the caches of the former version. loaded: a page was loaded, by this account.
// worker → page: version: this version has taken over. ask: can the page be loaded again? Its answer goes to the port.

/**
 * `url`: the address of a page that was loaded before there was a worker to keep it, else "".
 * @typedef {{ account: string, language: string, url: string }} Loaded
 * @typedef {{ takeOver?: true, former?: true, loaded?: Loaded }} ToWorker
 * @typedef {{ version?: string, ask?: true }} ToPage
 *
 * The answer of a page. `calm`: it was not just touched; `free`: it can be loaded again now: it is not in use, nothing
 * waits and nothing is entered.
 * @typedef {{ version: string, free: boolean, calm: boolean }} Answer
 */

const ANSWER_MS = 1000;

/**
 * Send a message to a worker, if there is one.
 * @param {ServiceWorker | null | undefined} worker
 * @param {ToWorker} message
 */
export const tellWorker = (worker, message) => worker?.postMessage(message);

/**
 * Send a message to a page.
 * @param {{ postMessage(message: ToPage, ports?: Transferable[]): void }} page
 * @param {ToPage} message
 */
export const tellPage = (page, message) => page.postMessage(message);

/**
 * Ask a page. One that does not answer in time cannot be loaded again.
 * @param {{ postMessage(message: ToPage, ports?: Transferable[]): void }} page
 * @returns {Promise<Answer>}
 */
export function askPage(page) {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => resolve(event.data);
    page.postMessage({ ask: true }, [channel.port2]);
    setTimeout(resolve, ANSWER_MS, { version: "", free: false, calm: false });
  });
}

/**
 * Answer the question of a worker.
 * @param {MessageEvent} event
 * @param {Answer} answer
 */
export const answerWorker = (event, answer) => event.ports[0].postMessage(answer);
