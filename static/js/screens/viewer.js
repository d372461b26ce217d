import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../table.js";
import "../follow_table.js";
import "../night/live_tag.js";
import "../stream.js";
import "../night/needs_network.js";
