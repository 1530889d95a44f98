import { CliError, exitCodes } from '../../exit-codes.ts';

/** Lets one report be read at a time: the account and region have few FilterLogEvents a second, for all clusters and pages together. */
export interface Turn {
  /**
   * Reads if nothing else is being read.
   *
   * @throws CliError if a report is being read already.
   */
  readonly take: <Result>(clusterName: string, read: () => Promise<Result>) => Promise<Result>;
}

export function createTurn(): Turn {
  let reading: string | undefined;
  return {
    take: async (clusterName, read) => {
      if (reading !== undefined)
        throw new CliError(
          `another page reads the report of cluster ${reading}: wait until it is done, or cancel it there`,
          exitCodes.failed,
        );
      reading = clusterName;
      try {
        return await read();
      } finally {
        reading = undefined;
      }
    },
  };
}
