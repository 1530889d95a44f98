import { shellWord } from '../../shared/base/shell-words.ts';

/**
 * The command that makes what was deleted or changed by hand as the template says. A deployment of the same template changes nothing,
 * because CloudFormation compares templates (user guide, "Using drift-aware change sets").
 */
export function restoreStack(stage: string): string {
  const named = `--stack-name ${shellWord(`drover-${stage}`)} --change-set-name drover-doctor`;
  return [
    `aws cloudformation create-change-set ${named} --use-previous-template --deployment-mode REVERT_DRIFT --capabilities CAPABILITY_NAMED_IAM`,
    `aws cloudformation wait change-set-create-complete ${named}`,
    `aws cloudformation execute-change-set ${named}`,
  ].join(' && ');
}
