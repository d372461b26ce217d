import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../hand_worth.js";
