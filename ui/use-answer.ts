import { useCallback, useRef, useState } from 'preact/hooks';
import type { Answer } from './actions.ts';

const millisecondsOfAnAnswer = 6000;

/** The last answer, for a few seconds. */
export function useAnswer(): readonly [Answer | undefined, (answer: Answer) => void] {
  const [answer, setAnswer] = useState<Answer>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tell = useCallback((next: Answer): void => {
    clearTimeout(timer.current);
    setAnswer(next);
    timer.current = setTimeout(() => setAnswer(undefined), millisecondsOfAnAnswer);
  }, []);
  return [answer, tell];
}
