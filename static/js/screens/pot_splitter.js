import "../outbox_bar.js";
import "../app.js";
import "../pot_splitter.js";
