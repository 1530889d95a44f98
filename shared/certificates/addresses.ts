/**
 * An IP address in its one canonical form, so that texts can be compared; undefined for anything else. An IPv4 address inside an IPv6
 * one stays an IPv6 address, which no instance has.
 */
export function canonicalAddress(text: string): string | undefined {
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(text))
    return text.split('.').every((part) => Number(part) <= 255 && String(Number(part)) === part)
      ? text
      : undefined;
  if (!/^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*$/.test(text)) return undefined;
  return URL.canParse(`http://[${text}]/`) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : undefined;
}
