/** `2026-11-21T08:00:00Z`: what people read, and long enough. */
export const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
