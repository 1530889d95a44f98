/** Calls back again and again in the machine's time, which the page's reader lives in; returns how to stop. */
export type Repeat = (milliseconds: number, task: () => void) => () => void;

export const repeat: Repeat = (milliseconds, task) => {
  const interval = setInterval(task, milliseconds);
  interval.unref();
  return () => clearInterval(interval);
};
