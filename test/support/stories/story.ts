import type { DroverWorld, DroverWorldOptions } from '../../../local/world/drover-world.ts';

/** Plays a story in its own world and returns everything that went wrong: nothing with the roles as deployed. */
export type Story = (options: DroverWorldOptions) => Promise<readonly string[]>;

/** What the world itself complains of: invocations that failed, parts that were refused, lines of errors. */
export const complaints = ({ problems, lines }: DroverWorld): readonly string[] => [
  ...problems.map((problem) => (problem instanceof Error ? problem.message : JSON.stringify(problem))),
  ...lines
    .filter(({ level }) => level === 'error')
    .map(({ message, error }) => `${String(message)}: ${JSON.stringify(error)}`),
];

/** A wait that does not end is a complaint as well, and the last one. */
export async function endOf(wait: () => Promise<void>): Promise<readonly string[]> {
  try {
    await wait();
    return [];
  } catch (error) {
    return [String(error)];
  }
}
