import { formatOf } from '../../adopt/user-data/format.ts';
import { isGzip, unpacked } from '../gzip.ts';

/** A piece that one program reads: cloud-init by its type, nodeadm, Ignition, Bottlerocket. */
export interface Part {
  /** The type of MIME, `ignition`, `bottlerocket`, or the reason why nothing reads it. */
  readonly type: string;
  readonly fileName?: string;
  readonly body: string;
  /** What is wrong with the archive around it. */
  readonly faults?: readonly string[];
}

/** Archives in archives beyond this depth are not opened. */
const deepest = 4;

/** The parts of a user data, in their order. One that is not an archive is its own part. Pure. */
export function partsOf(text: string, depth = 0): readonly Part[] {
  const format = formatOf(text);
  if (format.kind === 'empty') return [];
  if (format.kind === 'part') return [{ type: format.contentType, body: text }];
  if (format.kind === 'other') return [{ type: otherType(text) ?? format.reason, body: text }];
  if (depth >= deepest) return [{ type: 'an archive in an archive, not opened', body: text }];
  const pieces = piecesOf(text, format.boundary);
  const parts = pieces.flatMap((piece) => partOf(piece, depth));
  const [first, ...rest] = parts;
  return first === undefined || !joinsHeaders(text, format.boundary)
    ? parts
    : [{ ...first, faults: [...(first.faults ?? []), noLineBeforeFirst] }, ...rest];
}

/** awslabs/amazon-eks-ami#1701, aws/karpenter-provider-aws#2009. */
const noLineBeforeFirst =
  'there is no empty line between the headers of the archive and its first boundary: nodeadm cannot read the archive';

const joinsHeaders = (text: string, boundary: string): boolean =>
  (text.trimStart().split(/\r?\n\r?\n/, 1)[0] ?? '').split(/\r?\n/).includes(`--${boundary}`);

function otherType(text: string): string | undefined {
  const start = text.trimStart();
  if (start.startsWith('{') && start.includes('"ignition"')) return 'ignition';
  if (/^[ \t]*\[\[?settings[.\]]/m.test(start)) return 'bottlerocket';
  return undefined;
}

/** What is between the lines of the boundary (RFC 2046, 5.1.1). */
function piecesOf(text: string, boundary: string): readonly string[] {
  const pieces: string[] = [];
  let isInside = false;
  for (const line of text.split(/^/m)) {
    const end = line.trimEnd();
    if (end === `--${boundary}--`) break;
    if (end === `--${boundary}`) {
      pieces.push('');
      isInside = true;
    } else if (isInside) pieces[pieces.length - 1] += line;
  }
  return pieces;
}

function partOf(piece: string, depth: number): readonly Part[] {
  const { headers, body: raw, faults } = headed(piece);
  const contentType = headers.get('content-type') ?? 'text/plain';
  if (/^multipart\//i.test(contentType)) return partsOf(`Content-Type: ${contentType}\n\n${raw}`, depth + 1);
  const bytes = decoded(raw, headers.get('content-transfer-encoding'));
  const body = (isGzip(bytes) ? unpacked(bytes) : undefined) ?? bytes.toString('utf8');
  const isSaid = /^application\/(?:x-)?(?:gzip|gunzip|gzip-compressed)\b/i.test(contentType);
  const [, fileName] = /filename="?([^";]+)"?/i.exec(headers.get('content-disposition') ?? '') ?? [];
  const packed = isGzip(bytes) && !isSaid ? [packedUnsaid] : [];
  return [
    {
      type: typeOf(isSaid ? 'text/plain' : contentType, body),
      body,
      faults: [...faults, ...packed],
      ...(fileName !== undefined && { fileName }),
    },
  ];
}

/** Its handler then gets the bytes of gzip. */
const packedUnsaid =
  'a part is compressed, and its Content-Type is not application/gzip: cloud-init does not unpack it';

interface Headed {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly faults: readonly string[];
}

/** The headers of a piece, which end with the first empty line, or with the first line that is not a header. */
function headed(piece: string): Headed {
  const headers = new Map<string, string>();
  const lines = piece.split(/^/m);
  let name = '';
  for (const [index, line] of lines.entries()) {
    const rest = (from: number): string => lines.slice(from).join('');
    if (line.trim() === '') return { headers, body: rest(index + 1), faults: [] };
    const [, key, value] = /^([\w-]+):[ \t]*(.*)/.exec(line) ?? [];
    if (key !== undefined) headers.set((name = key.toLowerCase()), value?.trim() ?? '');
    else if (/^[ \t]/.test(line) && name !== '') headers.set(name, `${headers.get(name)} ${line.trim()}`);
    else return { headers, body: rest(index), faults: [noEmptyLine] };
  }
  return { headers, body: '', faults: [] };
}

/** awslabs/amazon-eks-ami#2318. */
const noEmptyLine =
  'there is no empty line between the headers of a part and its content: nodeadm fails, and cloud-init runs less than there is';

/** cloud-init reads a part of type text/plain by its first line, as it does a whole user data. */
function typeOf(contentType: string, body: string): string {
  const [type = ''] = contentType.toLowerCase().split(';');
  const known = type.trim();
  if (known !== 'text/plain') return known;
  const format = formatOf(body);
  return format.kind === 'part' ? format.contentType : known;
}

function decoded(text: string, encoding = '7bit'): Buffer {
  const name = encoding.toLowerCase();
  if (name === 'base64') return Buffer.from(text, 'base64');
  if (name !== 'quoted-printable') return Buffer.from(text);
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
