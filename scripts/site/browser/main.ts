import { startCopying } from './copy-code.ts';
import { showScrollers } from './scrollers.ts';
import { startSearch } from './search.ts';
import { showCurrent } from './show-current.ts';

const script = document.currentScript;
if (script instanceof HTMLScriptElement) startSearch(new URL('../', script.src));
startCopying();
showScrollers();
showCurrent();
