/** RFC 7468. */
export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** The bytes of the first block if it has this label. Undefined if it has not, or there is none. */
export function readPem(label: string, text: string): Buffer | undefined {
  const block = /-----BEGIN ([^-]+)-----\r?\n([A-Za-z0-9+/=\s]*)-----END \1-----/.exec(text);
  return block?.[1] === label ? Buffer.from(block[2] ?? '', 'base64') : undefined;
}
