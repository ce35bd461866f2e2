// Runs a list of jobs with Nextflow, and then the report:
//
//   ablate plan experiments/quickstart.json --results results/quickstart --jobs sh > jobs.txt
//   nextflow run nextflow.nf --jobs jobs.txt --results results/quickstart
//
// Run it again to go on. Every process needs the same files, and `ablate` on its PATH.
params.jobs = 'jobs.txt'
params.results = 'results'

process shard {
    cpus 1
    memory '1 GB'
    // 75: stopped with a checkpoint. 143: Nextflow was told to end the task, and has passed that on.
    errorStrategy { task.exitStatus in [75, 143] ? 'retry' : 'finish' }
    maxRetries 20

    input:
    val command

    output:
    val true

    script:
    """
    $command || { status=\$?; [ \$status = 3 ] || exit \$status; }  # 3: done, but some trials failed
    """
}

process report {
    input:
    val done
    val results

    script:
    """
    ablate report '$results'
    """
}

workflow {
    commands = channel.fromPath(params.jobs).splitText { line -> line.trim() }
    shard(commands)
    report(shard.out.collect(), file(params.results).toAbsolutePath())
}
