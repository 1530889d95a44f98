import type { Clock } from '../base/clock.ts';
import type { CallOutcome, Trace } from '../base/trace.ts';
import { readTraceHeader, type Subsegment, subsegmentDocument } from './subsegment.ts';

export interface TraceContext {
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The trace header of the running invocation. */
  readonly header: () => string | undefined;
  /** Hands a datagram over, and waits for nothing. */
  readonly send: (datagram: Uint8Array) => void;
}

/** More calls without an answer than a batch can have. */
const mostOpenCalls = 1000;

/**
 * A trace that sends each call when it has its answer, so that an invocation which is killed leaves what it did. A call belongs to the
 * invocation in which it began.
 */
export function createTrace({ clock, randomBytes, header, send }: TraceContext): Trace {
  const open = new Set<Subsegment>();
  const show = (subsegment: Subsegment): void => {
    const datagram = datagramOf(subsegmentDocument(subsegment));
    if (datagram) send(datagram);
  };
  return {
    traceId: () => readTraceHeader(header())?.traceId,
    begin: (call) => {
      const own = readTraceHeader(header());
      if (!own) return () => {};
      const ids = Buffer.from(randomBytes(16)).toString('hex');
      const subsegment = {
        header: own,
        id: ids.slice(0, 16),
        exceptionId: ids.slice(16),
        call,
        startedAt: clock.now(),
      };
      if (open.size < mostOpenCalls) open.add(subsegment);
      return (outcome: CallOutcome) => {
        open.delete(subsegment);
        show({ ...subsegment, end: { at: clock.now(), outcome } });
      };
    },
    showOpenCalls: () => {
      for (const subsegment of open) show(subsegment);
      open.clear();
    },
  };
}

/** What a datagram of UDP over IPv4 holds. X-Ray takes documents of 64 KB. */
const longestBytes = 65_507;

/** A document as the X-Ray daemon takes it (X-Ray developer guide, "Sending segment documents"). Undefined if it is too long. Pure. */
export function datagramOf(document: object): Uint8Array | undefined {
  const bytes = Buffer.from(`{"format":"json","version":1}\n${JSON.stringify(document)}`);
  return bytes.length > longestBytes ? undefined : bytes;
}

export interface DaemonAddress {
  readonly address: string;
  readonly port: number;
}

const byte = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const pattern = new RegExp(`^(${byte}(?:\\.${byte}){3}):(\\d{1,5})$`);

/**
 * Where the X-Ray daemon listens: `169.254.79.129:2000`, as Lambda writes it. Undefined for anything but an IPv4 address with a port, because
 * the look-up of a name could hang. Pure.
 */
export function readDaemonAddress(text: string | undefined): DaemonAddress | undefined {
  const [, address = '', digits] = pattern.exec(text ?? '') ?? [];
  const port = Number(digits);
  return port > 0 && port < 65_536 ? { address, port } : undefined;
}
