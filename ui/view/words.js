/**
 * `3 min 20 s`; never less than nothing.
 *
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ].filter(([count]) => count !== 0);
  return parts.length === 0
    ? '0 s'
    : parts
        .slice(0, 2)
        .map((part) => part.join(' '))
        .join(' ');
}

/**
 * `08:00:12`, in UTC.
 *
 * @param {number} milliseconds
 */
export const timeOfDay = (milliseconds) => new Date(milliseconds).toISOString().slice(11, 19);
