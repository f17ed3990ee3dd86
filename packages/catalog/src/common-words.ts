/** English words that say nothing about what a tool does. */
export const STOP_WORDS: readonly string[] = (
  "a about all also am an and any anyone anything are as at be been by can could did do does doing each " +
  "every everything for from get give had has have having he her here him his how i if in into is it its " +
  "just know let like make many may me might more most much must my need no not nothing now of on one only " +
  "or other our out over own please provide she should so some something such tell than that the their them " +
  "then there these they this those through to too up us use using very want was we were what when where " +
  "which while who whom whose why will with within would you your"
).split(" ");

/** Words that so many tools share that one of them alone says little. */
export const GENERIC_WORDS: readonly string[] = (
  "add api available based call change check create current data default delete different display example " +
  "execute fetch find first function given info information input item last list look lookup make manage " +
  "multiple name new next number object open output perform query read remove request required result " +
  "retrieve return run search second send service set show single specific specified start string text " +
  "three tool two type update user value view write"
).split(" ");
