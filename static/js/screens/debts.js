import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../paid_day.js";
import "../share.js";
