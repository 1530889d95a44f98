import type { Repeat } from '../../ui/server/broadcast.ts';

export const repeat: Repeat = (milliseconds, task) => {
  const interval = setInterval(task, milliseconds);
  interval.unref();
  return () => clearInterval(interval);
};
