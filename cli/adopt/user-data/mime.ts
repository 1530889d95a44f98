/** A part of a MIME archive that this program has made is known by the name of its file. */
const ownName = 'drover-part';

interface Part {
  readonly contentType: string;
  readonly body: string;
  readonly isOwn: boolean;
}

/** An archive of these parts. Pure. */
export function archiveOf(parts: readonly Part[]): string {
  const boundary = freeBoundary(parts);
  return `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n${parts.map((part) => partText(part, boundary)).join('')}--${boundary}--\n`;
}

/** No line of a body may look like the end of its part. */
function freeBoundary(parts: readonly Part[]): string {
  let boundary = '==drover==';
  while (parts.some(({ body }) => body.includes(`--${boundary}`))) boundary = `=${boundary}=`;
  return boundary;
}

/** The archive with these parts before its end; all that is there stays letter by letter. Pure. */
export function withParts(archive: string, boundary: string, parts: readonly Part[]): string {
  const closing = closingOf(archive, boundary);
  const before = archive.slice(0, closing);
  const base = before.endsWith('\n') ? before : `${before}\n`;
  const after = closing === archive.length ? `--${boundary}--\n` : archive.slice(closing);
  return base + parts.map((part) => partText(part, boundary)).join('') + after;
}

/** Where the archive ends; its length if the last boundary is missing, which readers forgive. */
function closingOf(archive: string, boundary: string): number {
  const last = archive.lastIndexOf(`--${boundary}--`);
  return last < 0 ? archive.length : last;
}

/** The archive without the parts that this program has made. Pure. */
export function withoutOwnParts(archive: string, boundary: string): string {
  const delimiter = `--${boundary}`;
  const [preamble = '', ...pieces] = archive.split(/^/m).reduce<string[]>(
    (found, line) => {
      if (line.startsWith(delimiter)) found.push(line);
      else found[found.length - 1] += line;
      return found;
    },
    [''],
  );
  return preamble + pieces.filter((piece) => !isOwnPiece(piece)).join('');
}

const isOwnPiece = (piece: string): boolean =>
  new RegExp(`^content-disposition:.*filename="${ownName}"`, 'im').test(
    piece.split(/\r?\n\r?\n/, 1)[0] ?? '',
  );

/**
 * cloud-init replaces lists of an earlier cloud-config, such as write_files, unless a part says otherwise; each part has to say it
 * (cloud-init#4367).
 */
const mergeType = 'list(append)+dict(no_replace,recurse_list)+str()';

function partText({ contentType, body, isOwn }: Part, boundary: string): string {
  const isPlain = /^[\t\r\n -~]*$/.test(body) && !body.includes(`--${boundary}`);
  const content = isPlain ? body : `${Buffer.from(body).toString('base64').replaceAll(/.{76}/g, '$&\n')}\n`;
  const headers = [
    `Content-Type: ${contentType}; charset="${isPlain ? 'us-ascii' : 'utf-8'}"`,
    'MIME-Version: 1.0',
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    ...(isOwn ? [`Content-Disposition: attachment; filename="${ownName}"`] : []),
    ...(isOwn && contentType === 'text/cloud-config' ? [`Merge-Type: ${mergeType}`] : []),
  ];
  return `--${boundary}\n${headers.join('\n')}\n\n${content.endsWith('\n') ? content : `${content}\n`}`;
}
