// The menu of languages: what is chosen is kept in a cookie, and the page comes anew in that language.

const YEAR_S = 365 * 24 * 3600;

document.getElementById("language").addEventListener("change", (event) => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `mournival-language=${event.target.value}; Max-Age=${YEAR_S}; Path=/; SameSite=Strict${secure}`;
  location.reload();
});
