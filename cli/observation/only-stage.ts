import { CliError, exitCodes } from '../exit-codes.ts';

/**
 * The stage that is meant: the wanted one, or the only one that is found. Pure.
 *
 * @throws CliError if it is not among them, there is none, or there are several and none is wanted.
 */
export function onlyStage(what: string, found: readonly string[], wanted: string | undefined): string {
  if (wanted === undefined && found.length > 1)
    throw new CliError(
      `several deployments are in this account and region: choose one of ${[...found].sort().join(', ')} with --stage`,
      exitCodes.failed,
    );
  const stage = wanted ?? found[0];
  if (stage !== undefined && found.includes(stage)) return stage;
  throw new CliError(
    `there are no ${what} of ${stage === undefined ? 'a deployment' : `stage ${stage}`} in this account and region`,
    exitCodes.failed,
  );
}
