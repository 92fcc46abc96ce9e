// The set-up page: what is played and by whom, the camera and whether it sees well, and one's own pack.

import { CameraChoice } from "./camera_choice.js";
import { $ } from "./dom.js";
import { showEyeLine } from "./eye_line.js";
import { follow } from "./live.js";
import { PackForm } from "./pack_form.js";
import { LivePicture } from "./picture.js";
import { SetupForm } from "./setup_form.js";
import { TableCheck } from "./table_check.js";
import { t, tn } from "./texts.js";
import { ZoneEditor } from "./zones.js";

const current = { state: null, view: null };
let eye = { ok: true, text: "" };
let linked = true;
let unlinked = ""; // why the page has no news
let taken = null;
const picture = new LivePicture();
const zones = new ZoneEditor(current);
const form = new SetupForm(current, (names) => { picture.names = names; picture.draw(); });
const cameras = new CameraChoice();
new TableCheck();
new PackForm();

function onView(view) {
  current.view = view;
  picture.update(view);
  form.place(view.zones);
  $("zones-edit").disabled = !view.zones?.length;
}

function showEye() {
  $("eye").dataset.ok = linked && eye.ok ? "yes" : "no";
  showEyeLine(linked ? eye.text : unlinked);
  $("warning").textContent = linked ? (eye.warning ?? "") : "";
  cameras.tell(eye);
}

function showAge() {
  const seconds = taken === null || eye.ended ? 0 : Math.floor((performance.now() - taken) / 1000);
  const old = seconds < 120 ? tn("{n} second", "{n} seconds", seconds) : tn("{n} minute", "{n} minutes", Math.floor(seconds / 60));
  $("age").textContent = seconds < 3 ? "" : t("This picture is {age} old", { age: old });
}

follow({
  state: (state) => { current.state = state; form.tell(state); },
  view: (news) => { taken = news.frame ? performance.now() - 1000 * (news.age ?? 0) : null; showAge(); onView(news); },
  zones: (news) => { zones.told(news.zones); if (current.view) onView({ ...current.view, zones: news.zones }); },
  eye: (news) => { eye = news; showEye(); showAge(); },
  link: (ok, why) => { [linked, unlinked] = [ok, why]; showEye(); },
});
setInterval(showAge, 1000);
