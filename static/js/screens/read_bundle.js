import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../night/read_bundle.js";
import "../night/needs_network.js";
