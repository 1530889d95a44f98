import { buildPackage } from './build/build-package.ts';

buildPackage(process.argv[2] ?? 'dist');
