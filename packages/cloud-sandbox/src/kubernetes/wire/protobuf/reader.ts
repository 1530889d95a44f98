/** One field of a protobuf message as on the wire. */
export interface WireField {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** Walks the fields of a message; throws RangeError when it is cut short or of no known form. */
export function* readFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) break;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new RangeError('the protobuf message is cut short');
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    if ((tag & 7) === 0) yield { number, value: varint() };
    else if ((tag & 7) === 2) {
      const length = Number(varint());
      if (length < 0 || at + length > bytes.length) throw new RangeError('the protobuf message is cut short');
      yield { number, value: bytes.subarray(at, at + length) };
      at += length;
    } else throw new RangeError(`protobuf wire type ${tag & 7} is not used by Kubernetes`);
  }
}
