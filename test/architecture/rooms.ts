import type { SourceFile } from './source-files.ts';

/** The room of a file: `functions`, or the folder below `shared`. */
export const roomOf = (path: string): string =>
  path.startsWith('shared/') ? (path.split('/')[1] ?? '') : (path.split('/')[0] ?? '');

/** Which rooms each room imports, types included. */
export type RoomImports = ReadonlyMap<string, ReadonlySet<string>>;

export function roomImportsOf(files: readonly SourceFile[]): RoomImports {
  const rooms = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const room = rooms.get(roomOf(path)) ?? new Set();
    rooms.set(roomOf(path), room);
    for (const target of imports)
      if (/^(?:shared|functions)\//.test(target) && roomOf(target) !== roomOf(path)) room.add(roomOf(target));
  }
  return rooms;
}

/** One circle of imports among the rooms, such as `a -> b -> a`; undefined if there is none. */
export function circleIn(rooms: RoomImports): string | undefined {
  const clear = new Set<string>();
  const walk = (room: string, path: readonly string[]): string | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(' -> ');
    if (clear.has(room)) return undefined;
    for (const next of rooms.get(room) ?? []) {
      const circle = walk(next, [...path, room]);
      if (circle) return circle;
    }
    clear.add(room);
    return undefined;
  };
  for (const room of rooms.keys()) {
    const circle = walk(room, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The room of each function. A reader who knows the function finds its decisions there. */
export const roomsOfFunctions: Readonly<Record<string, string>> = {
  'bootstrap-credential': 'credentials',
  'certificate-requests': 'certificates',
  'etcd-membership': 'etcd',
  'etcd-snapshot': 'etcd',
  heartbeats: 'heartbeats',
  intake: 'intake',
  'node-joining': 'joining',
  'node-leaving': 'leaving',
  prewarm: 'capacity',
  roll: 'roll',
  'scale-api': 'scale-api',
  sweep: 'sweep',
  'token-webhook': 'identity',
};
