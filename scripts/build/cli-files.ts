/** The file of the package that `drover` runs. */
export const startFile = 'drover.cjs';
/** All commands, which that file loads. */
export const programFile = 'program.cjs';
/** The folder with the files of the page, beside them. */
export const pageFolder = 'page';
