import type { Plugin } from 'esbuild';

const standIn = `
  export class EventStreamSerde {
    constructor() { throw new Error('This bundle leaves out event streams: see scripts/build/no-event-streams.ts'); }
  }
  export const eventStreamSerdeProvider = undefined;
`;

/**
 * Leaves out the SDK's event streams, which no operation of ours has. The SDK imports them dynamically, which in one file
 * wraps them and everything that they share with the rest (most of the SDK's core) for later, and nothing of it shakes.
 */
export const noEventStreamsPlugin: Plugin = {
  name: 'no-event-streams',
  setup(build) {
    const namespace = 'no-event-streams';
    build.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({ path, namespace }));
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: standIn, loader: 'js' }));
  },
};
