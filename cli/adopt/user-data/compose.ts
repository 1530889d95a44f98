import { gzipSync } from 'node:zlib';
import { isGzip, unpacked } from '../../user-data/gzip.ts';
import { longestUserData } from '../../user-data/longest-user-data.ts';
import { formatOf } from './format.ts';
import { archiveOf, withoutOwnParts, withParts } from './mime.ts';

export type Composed =
  /** The group has the part already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'new'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly reason: string };

/** The user data of a group with another part at its end. What is there stays letter by letter. Pure. */
export function compose(existing: Uint8Array, part: string): Composed {
  const isPacked = isGzip(existing);
  const before = isPacked ? unpacked(existing) : Buffer.from(existing).toString('utf8');
  if (before === undefined) return refused('it is compressed, and cannot be unpacked');
  if (before.includes('\ufffd')) return refused('it is not text');
  const after = composedText(before, part);
  if (typeof after !== 'string') return after;
  if (after === before) return { kind: 'same' };
  const plain = Buffer.from(after);
  if (!isPacked && plain.length <= longestUserData) return { kind: 'new', bytes: plain };
  // nodeadm reads the archive itself, and not every version of it unpacks one.
  if (!isPacked && after.includes('node.eks.aws'))
    return refused(`with the part it has ${plain.length} bytes, and EC2 takes ${longestUserData}`);
  const packed = gzipSync(plain, { level: 9 });
  return packed.length <= longestUserData
    ? { kind: 'new', bytes: packed }
    : refused(`with the part it has ${packed.length} bytes compressed, and EC2 takes ${longestUserData}`);
}

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

function composedText(before: string, part: string): string | Exclude<Composed, { kind: 'new' }> {
  const own = formatOf(part);
  const format = formatOf(before);
  if (own.kind === 'empty') return refused('the file of --user-data is empty');
  if (before.trim() === part.trim()) return before;
  if (format.kind === 'empty') return part;
  if (format.kind === 'other') return refused(format.reason);
  if (own.kind === 'other') return refused(`the file of --user-data cannot be a part: ${own.reason}`);
  const kept = format.kind === 'mime' ? withoutOwnParts(before, format.boundary) : before;
  const joins = whoJoins(kept);
  if (joins !== undefined && /\b(?:kubelet|kubeadm|nodeadm|bootstrap\.sh)\b/.test(part))
    return refused(
      `${joins}, and the file of --user-data joins too: a machine would join twice. Remove that from the user data of the group, or give the whole user data with drover user-data FLAVOUR --new-version-of`,
    );
  if (own.kind === 'mime')
    return refused('the file of --user-data is an archive itself: give one part, a script or a cloud-config');
  const added = { contentType: own.contentType, body: part, isOwn: true };
  return format.kind === 'mime'
    ? withParts(kept, format.boundary, [added])
    : archiveOf([{ contentType: format.contentType, body: before, isOwn: false }, added]);
}

const joining =
  /\bkubeadm +(?:join|init)\b|\/etc\/eks\/bootstrap\.sh|\bnodeadm +init\b|apiVersion: *["']?node\.eks\.aws\//;

/** The line itself may hold a token, so only the program is named. Parts in base64 are not looked into: their own text is what cloud-init runs, and no tool of a cluster encodes them. */
function whoJoins(text: string): string | undefined {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => joining.test(line) && !/^\s*#(?!!)/.test(line));
  return index < 0
    ? undefined
    : `line ${index + 1} of it joins a cluster (${joining.exec(lines[index] ?? '')?.[0]})`;
}
