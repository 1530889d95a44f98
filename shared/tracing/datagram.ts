/** What a datagram of UDP over IPv4 holds. X-Ray takes documents of 64 KB. */
const longestBytes = 65_507;

/** A document as the X-Ray daemon takes it (X-Ray developer guide, "Sending segment documents"). Undefined: it is too long. Pure. */
export function datagramOf(document: object): Uint8Array | undefined {
  const bytes = Buffer.from(`{"format":"json","version":1}\n${JSON.stringify(document)}`);
  return bytes.length > longestBytes ? undefined : bytes;
}
