import type { Clock } from '../base/clock.ts';
import type { CallOutcome, Trace } from '../base/trace.ts';
import { datagramOf } from './datagram.ts';
import { type Subsegment, subsegmentDocument } from './subsegment.ts';
import { readTraceHeader } from './trace-header.ts';

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
