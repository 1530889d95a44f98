import type { Problem } from '../../../shared/problems/problem.ts';
import type { ProblemView } from '../../state/types.ts';

/** A problem of the list that `drover status` shows. Pure. */
export const problemView = ({
  kind,
  subject,
  message,
  severity,
  since,
  command,
  alarm,
}: Problem): ProblemView => ({ kind, subject, message, severity, since, command, alarm });
