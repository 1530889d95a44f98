import type { Line } from '../story/line.ts';
import type { View } from '../story/view.ts';
import type { Sandbox } from '../wire/sandbox.ts';

/** A sandbox that is up, as the reporter shows it. */
export interface Ready {
  readonly sandbox: Sandbox;
  readonly view: View;
  readonly speed: number;
}

/** The output of the sandbox. */
export interface Reporter {
  ready(ready: Ready): void;
  line(line: Line): void;
  /** A function wrote this. */
  log(functionName: string, text: string): void;
  look(view: View): void;
  ending(): void;
}
