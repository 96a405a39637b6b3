import { controlPlaneBinaries, removeAbandonedRuns, removeRun, stopControlPlanes } from './control-plane.ts';

/** Before the first test and without a time limit: a build takes minutes on a fresh machine. */
export async function mochaGlobalSetup(): Promise<void> {
  await removeAbandonedRuns();
  await controlPlaneBinaries();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await stopControlPlanes();
  await removeRun();
}
