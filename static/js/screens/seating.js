import "../outbox_bar.js";
import "../app.js";
import "../words.js";
import "../seating.js";
import "../follow_table.js";
import "../pencil_line.js";
