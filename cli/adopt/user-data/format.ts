/** How the machine reads a user data: the types of cloud-init and nodeadm that can be parts of a MIME archive, and the rest. */
export type Format =
  | { readonly kind: 'empty' }
  | { readonly kind: 'mime'; readonly boundary: string }
  /** With the type of its part in an archive. */
  | { readonly kind: 'part'; readonly contentType: string }
  | { readonly kind: 'other'; readonly reason: string };

/** By their first line (cloud-init documentation, "User data formats"). */
const firstLines: readonly (readonly [RegExp, string])[] = [
  [/^#!/, 'text/x-shellscript'],
  [/^#cloud-config-archive\b/, 'text/cloud-config-archive'],
  [/^#cloud-config\b/, 'text/cloud-config'],
  [/^#cloud-boothook\b/, 'text/cloud-boothook'],
  [/^#include-once\b/, 'text/x-include-once-url'],
  [/^#include\b/, 'text/x-include-url'],
  [/^#part-handler\b/, 'text/part-handler'],
  [/^## template: ?jinja\b/, 'text/jinja2'],
  [/^(?:---\r?\n)?apiVersion: ?['"]?node\.eks\.aws\//, 'application/node.eks.aws'],
];

/** What a user data is. Pure. */
export function formatOf(text: string): Format {
  const start = text.trimStart();
  if (start === '') return { kind: 'empty' };
  const boundary = boundaryOf(start);
  if (boundary !== undefined) return { kind: 'mime', boundary };
  const [, contentType] = firstLines.find(([pattern]) => pattern.test(start)) ?? [];
  if (contentType !== undefined) return { kind: 'part', contentType };
  return { kind: 'other', reason: reasonAgainst(start) };
}

function reasonAgainst(text: string): string {
  if (text.startsWith('{') && text.includes('"ignition"'))
    return 'it is an Ignition configuration, of which a machine reads one: merge with butane, or give the whole configuration';
  if (/^[ \t]*\[settings[.\]]/m.test(text))
    return 'it is the TOML of Bottlerocket, which takes one document: add the settings to it';
  if (/^<(?:powershell|script|persist)>/i.test(text)) return 'it is for Windows';
  const decoded = decodedTwice(text);
  if (decoded !== undefined && formatOf(decoded).kind !== 'other')
    return 'it is encoded in base64 twice, so its machines ignore it: encode it once';
  return 'cloud-init does not know it by its first line, so its machines ignore it';
}

const decodedTwice = (text: string): string | undefined =>
  /^[\w+/\s]+={0,2}$/.test(text.trimEnd()) ? Buffer.from(text, 'base64').toString('utf8') : undefined;

/** The boundary of an archive; undefined if the headers at the start are not those of one. A header may continue on the next line. */
function boundaryOf(text: string): string | undefined {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  const headers = head.replaceAll(/\r?\n[ \t]+/g, ' ');
  const type = headers.split(/\r?\n/).find((line) => /^content-type: *multipart\//i.test(line)) ?? '';
  const [, quoted, plain] = /boundary="([^"]+)"|boundary=([^\s;"]+)/i.exec(type) ?? [];
  return quoted ?? plain;
}
