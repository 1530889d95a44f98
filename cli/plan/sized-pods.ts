import {
  problemsInRequest,
  requestedPods,
  type SizedRequest,
} from '../../shared/capacity/manifests/requested-pods.ts';
import type { Workload } from '../../shared/capacity/manifests/workload.ts';
import { CliError, exitCodes } from '../exit-codes.ts';

/**
 * The pods of --pods, --cpu, --memory and --gpu.
 *
 * @throws CliError `usage` with each option that is not an amount.
 */
export function sizedPods(request: SizedRequest): Workload {
  const problems = problemsInRequest(request);
  if (problems.length === 0) return requestedPods(request);
  const texts = problems.map(({ option, message }) => `--${option} ${request[option]}: ${message}`);
  throw new CliError(texts.join('; '), exitCodes.usage);
}
