/** `3 min 20 s`; never less than nothing. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ].filter(([count]) => count !== 0);
  return parts.length === 0
    ? '0\u00a0s'
    : parts
        .slice(0, 2)
        .map((part) => part.join('\u00a0'))
        .join(' ');
}

/** `08:00:12`, in UTC. */
export const timeOfDay = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(11, 19);

/** `2026-01-05 08:00:12`, in UTC: a page may be open for days. */
export const dateTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');

/** `08:00`, with the day where that is another than now's. */
export function clockTime(milliseconds: number, now: number): string {
  const iso = new Date(milliseconds).toISOString();
  const sameDay = iso.slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  return sameDay ? iso.slice(11, 16) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}

/** `3 min`, `2 d`: how long something has been there, in its largest unit. */
export const age = (milliseconds: number): string =>
  milliseconds < 60_000 ? '<\u00a01\u00a0min' : (duration(milliseconds).split(' ')[0] ?? '');

/** `1 node`, `2 nodes`. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? word : plural}`;

/** The first label of a node's name: the rest is the domain of the region. */
export const shortName = (name: string): string => name.split('.')[0] ?? name;
