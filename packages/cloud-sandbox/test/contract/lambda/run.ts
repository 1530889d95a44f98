import type { Answer, FunctionCode, LambdaWorld } from './world.ts';

export interface Run {
  readonly answers: readonly Answer[];
  readonly lines: readonly string[];
}

/** One function's answers to these events, one after the other, and all lines that it wrote. */
export async function run(
  world: LambdaWorld,
  code: string | FunctionCode,
  events: readonly unknown[] = [{}],
): Promise<Run> {
  const deployed = await world.deploy(typeof code === 'string' ? { code } : code);
  const answers: Answer[] = [];
  for (const event of events) answers.push(await deployed.invoke(event));
  return { answers, lines: await deployed.end() };
}

/** The error that one event is answered with. */
export async function failure(world: LambdaWorld, code: string | FunctionCode) {
  const [answer] = (await run(world, code)).answers;
  if (!answer || !('error' in answer)) throw new Error(`it did not fail: ${JSON.stringify(answer)}`);
  return answer.error;
}

/** What one event is answered with. */
export async function result(world: LambdaWorld, code: string | FunctionCode, event: unknown = {}) {
  const [answer] = (await run(world, code, [event])).answers;
  if (!answer || !('result' in answer)) throw new Error(`it failed: ${JSON.stringify(answer)}`);
  return answer.result;
}
