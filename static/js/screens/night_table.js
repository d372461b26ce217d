import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../table.js";
import "../night/begun_evening.js";
import "../night/needs_network.js";
