const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const dnsLabel = new RegExp(`^${part}$`);
const subdomain = new RegExp(`^(?=[^/]{1,253}$)${part}(?:\\.${part})*$`);
/** The name of a label, a taint or a resource after its prefix, and the value of a label. */
const qualified = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Why a text is not the name of an object; undefined if it is one. */
export const whyNotSubdomain = (name: string): string | undefined =>
  subdomain.test(name)
    ? undefined
    : `${quoted(name)} is not a name: write small letters, digits, dashes and dots, with a letter or digit at both ends`;

/** Why a text is not the name of a container, a volume or a namespace. */
export const whyNotDnsLabel = (name: string): string | undefined =>
  dnsLabel.test(name)
    ? undefined
    : `${quoted(name)} is not a name: write at most 63 small letters, digits and dashes, with a letter or digit at both ends`;

/** Why a text is not the key of a label or the name of a resource. */
export function whyNotKey(key: string): string | undefined {
  const [prefix, name, ...more] = key.includes('/') ? key.split('/') : [undefined, key];
  const isKey =
    more.length === 0 && qualified.test(name ?? '') && (prefix === undefined || subdomain.test(prefix));
  return isKey ? undefined : `${quoted(key)} is not a key: write a name such as app, or PREFIX/NAME`;
}

/** Why a text is not the value of a label. */
export const whyNotLabelValue = (value: string): string | undefined =>
  value === '' || qualified.test(value)
    ? undefined
    : `${quoted(value)} is not the value of a label: write at most 63 letters, digits, dashes, dots and underscores, with a letter or digit at both ends`;

/** A text of a manifest as messages show it: short, and in one line. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
