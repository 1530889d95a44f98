import { markedStage } from './markers.ts';
import { type PackagedTemplate, packageVariant } from './package-variant.ts';
import { releaseParameters } from './parameters.ts';
import { switches } from './switches.ts';
import { type Part, releaseTemplate } from './template.ts';

/** osls at a time: each takes a core for some seconds. */
const sideBySide = 3;

/**
 * Packages the deployment once with everything on, and once for each switch, and makes one template of them.
 *
 * @throws PackagingError with what osls says; Error if a parameter has no effect
 */
export async function buildReleaseTemplate({
  version,
  zips,
}: {
  readonly version: string;
  readonly zips: Readonly<Record<string, string>>;
}): Promise<Part> {
  const parameters = releaseParameters();
  const marked = markedStage(Object.keys(parameters));
  const [on, ...others] = await inTurns([{}, ...switches.map(({ off }) => off)], (off) =>
    packageVariant({ ...marked, ...off }),
  );
  const offs = switches.map((of, index) => ({ of, template: others[index] as PackagedTemplate }));
  return releaseTemplate({ version, zips, parameters, on: on as PackagedTemplate, offs });
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return results;
}
