import { globSync, readFileSync } from 'node:fs';

/** The rooms where decisions are made: no SDK, no socket, no clock of their own. Coverage is held here, room by room. */
export const pureRooms = [
  'shared/capacity',
  'shared/certificates',
  'shared/credentials',
  'shared/draining',
  'shared/etcd',
  'shared/giving-back',
  'shared/groups',
  'shared/heartbeats',
  'shared/identity',
  'shared/intake',
  'shared/joining',
  'shared/leaving',
  'shared/nodes',
  'shared/notifications',
  'shared/passes',
  'shared/problems',
  'shared/scale-api',
  'shared/sweep',
  'shared/tracing',
] as const;

const waits = /\b(?:async|await|Promise)\b/;
const decides = /\bfunction\b|=>/;

/**
 * The files of these rooms that only decide: they are synchronous. Mutation testing changes them. They are
 * found by reading the sources, so that a new decision is held to the same bar from its first day.
 */
export const pureFiles = (): readonly string[] =>
  globSync(pureRooms.map((room) => `${room}/**/*.ts`)).filter((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    return decides.test(code) && !waits.test(code);
  });
