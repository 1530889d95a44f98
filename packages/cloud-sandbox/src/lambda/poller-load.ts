/** How many batches of a mapping are worked on at once, and how many may be. */
export interface PollerLoad {
  hasRoom(): boolean;
  begin(): void;
  end(succeeded: boolean): void;
}

/** Without MaximumConcurrency: "up to 1,250 concurrent invocations" (Lambda developer guide, scaling of SQS mappings). */
const unbounded = 1250;

/**
 * While invocations fail the number at once is halved, and it grows again by one with each that succeeds. The developer
 * guide says that Lambda backs off and gives no figures: these are ours.
 */
export function createPollerLoad(maximumConcurrency = unbounded): PollerLoad {
  let allowed = maximumConcurrency;
  let busy = 0;
  return {
    hasRoom: () => busy < allowed,
    begin: () => {
      busy += 1;
    },
    end: (succeeded) => {
      busy -= 1;
      allowed = succeeded ? Math.min(maximumConcurrency, allowed + 1) : Math.max(1, Math.floor(allowed / 2));
    },
  };
}
