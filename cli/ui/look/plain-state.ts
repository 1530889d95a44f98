import { withoutControls } from '../../plain-text.ts';

/** The longest that AWS and Kubernetes write to be read; a certificate request may name a node in a megabyte. */
const longestText = 2000;

/**
 * A state without what could disturb the page: control characters, marks that turn the direction of writing around, and texts without an
 * end. Names and messages come from everyone who may make an object in the cluster. Pure.
 */
export const plainState = <State extends object>(state: State): State => plain(state) as State;

function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

/** Most texts are names, which have nothing to remove. */
const plainText = (text: string): string => (/^[ -~]{0,300}$/.test(text) ? text : cut(withoutControls(text)));

const cut = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);
