import "../outbox_bar.js";
import "../app.js";
import "../play_through.js";
