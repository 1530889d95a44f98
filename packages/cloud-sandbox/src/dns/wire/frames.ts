/** Over TCP a message has its length before it, in two bytes (RFC 1035, section 4.2.2). */
export function frame(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** Takes what comes of a stream, and gives the messages that are whole. */
export function createFrameReader(): (chunk: Buffer) => readonly Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      messages.push(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
    return messages;
  };
}
