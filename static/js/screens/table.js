import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../table.js";
import "../follow_table.js";
import "../night/evening_arrived.js";
import "../night/needs_network.js";
