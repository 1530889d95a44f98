const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Epoch milliseconds of a time as signatures write it, `20261123T080000Z`; undefined for any other text and for days that are none. */
export function signingTime(text: string | undefined): number | undefined {
  const parts = form.exec(text ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(iso);
  // Date.parse makes 2 March of 30 February.
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? undefined : time;
}
