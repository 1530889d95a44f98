/** Runs a task, never twice at once. A request during a run makes it run once more afterwards. `task` must not reject. */
export function oneAtATime(task: () => Promise<void>): () => void {
  let running = false;
  let askedAgain = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      askedAgain = false;
      await task();
    } while (wasAskedAgain());
    running = false;
  };
  const wasAskedAgain = (): boolean => askedAgain;
  return () => {
    askedAgain = true;
    if (!running) void run();
  };
}
