import { randomBytes } from 'node:crypto';
import { createTrace } from '../../../../shared/tracing/create-trace.ts';
import { sampledHeader } from '../../../support/xray.ts';
import type { DocumentWorld, Shown } from '../document-cases.ts';

/** Makes the datagram of a call as a function does, and hands it to a reader. */
export const showThrough =
  (read: (datagram: Uint8Array) => Promise<Shown>): DocumentWorld['show'] =>
  async (call, outcome) => {
    const datagrams: Uint8Array[] = [];
    const trace = createTrace({
      clock: { now: () => Date.now() },
      randomBytes,
      header: () => sampledHeader,
      send: (datagram) => datagrams.push(datagram),
    });
    const end = trace.begin(call);
    if (outcome) end(outcome);
    trace.showOpenCalls();
    const [datagram, ...others] = datagrams;
    if (!datagram || others.length > 0) throw new Error(`${datagrams.length} datagrams instead of one`);
    return await read(datagram);
  };
