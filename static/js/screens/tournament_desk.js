import "../outbox_bar.js";
import "../app.js";
import "../tournament_desk.js";
