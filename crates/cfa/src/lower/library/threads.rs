//! Threads: there is one; what starts another is unsupported.

use super::table::Give::{Any, Natural, Zero};
use super::table::Treatment::Over;
use super::table::Write::{Pointee, Text};
use super::table::{By, Row, exact, model, over, same, unsupported};

pub(super) const ROWS: &[Row] = &[
    unsupported("pthread.h", "another thread", "pthread_create"),
    unsupported("threads.h", "another thread", "thrd_create"),
    unsupported("sched.h", "another thread", "clone/4 clone3 unshare setns"),
    unsupported(
        "pthread.h",
        "runs later",
        "pthread_atfork pthread_cleanup_push pthread_cleanup_pop _pthread_cleanup_push _pthread_cleanup_pop __pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next pthread_cancel",
    ),
    exact("pthread.h", model!("threads/once.c"), "pthread_once call_once"),
    over("pthread.h", model!("threads/self.c"), "any number", "pthread_self pthread_equal thrd_current thrd_equal"),
    over(
        "pthread.h",
        By::Effects(&[Pointee(0)], Natural),
        "one thread",
        "pthread_attr_init pthread_mutexattr_init pthread_condattr_init pthread_rwlockattr_init pthread_barrierattr_init \
         pthread_mutex_init pthread_cond_init pthread_rwlock_init pthread_spin_init pthread_barrier_init",
    ),
    over(
        "pthread.h",
        By::Effects(&[], Natural),
        "one thread: no lock is ever waited for; locks that look for errors may find one",
        "pthread_mutex_lock pthread_mutex_unlock pthread_mutex_destroy pthread_mutex_consistent pthread_cond_destroy \
         pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_rwlock_destroy pthread_spin_lock \
         pthread_spin_unlock pthread_spin_destroy pthread_barrier_destroy pthread_attr_destroy pthread_mutexattr_destroy \
         pthread_condattr_destroy pthread_rwlockattr_destroy pthread_barrierattr_destroy",
    ),
    over(
        "pthread.h",
        By::Effects(&[], Zero),
        "one thread: nobody waits",
        "pthread_cond_signal pthread_cond_broadcast pthread_testcancel",
    ),
    over(
        "pthread.h",
        By::Effects(&[], Any),
        "one thread",
        "pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock pthread_rwlock_tryrdlock \
         pthread_rwlock_trywrlock pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_spin_trylock \
         pthread_attr_setdetachstate pthread_attr_setstacksize pthread_attr_setschedpolicy pthread_attr_setscope \
         pthread_attr_setinheritsched pthread_attr_setguardsize pthread_attr_setaffinity_np pthread_attr_setschedparam \
         pthread_mutexattr_settype pthread_mutexattr_setpshared pthread_mutexattr_setprotocol pthread_mutexattr_setrobust \
         pthread_mutexattr_setprioceiling pthread_condattr_setclock pthread_condattr_setpshared pthread_rwlockattr_setpshared \
         pthread_rwlockattr_setkind_np pthread_barrierattr_setpshared pthread_setschedparam pthread_setschedprio \
         pthread_setconcurrency pthread_getconcurrency pthread_setname_np pthread_setaffinity_np \
         pthread_detach pthread_yield",
    ),
    unsupported(
        "pthread.h",
        "waits for another thread",
        "pthread_join pthread_tryjoin_np pthread_timedjoin_np pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait \
         pthread_barrier_wait pthread_exit pthread_attr_setstack pthread_attr_setstackaddr",
    ),
    over(
        "pthread.h",
        By::Effects(&[Pointee(1)], Any),
        "",
        "pthread_attr_getdetachstate pthread_attr_getstacksize pthread_attr_getguardsize pthread_attr_getschedpolicy pthread_attr_getschedparam pthread_attr_getscope pthread_attr_getinheritsched pthread_mutexattr_gettype pthread_mutexattr_getpshared pthread_mutexattr_getprotocol pthread_mutexattr_getrobust pthread_condattr_getclock pthread_condattr_getpshared pthread_rwlockattr_getpshared pthread_barrierattr_getpshared pthread_getcpuclockid pthread_getattr_np pthread_mutex_getprioceiling",
    ),
    over("pthread.h", By::Effects(&[Pointee(1), Pointee(2)], Any), "", "pthread_getschedparam"),
    over("pthread.h", By::Effects(&[Pointee(1)], Any), "", "pthread_setcancelstate pthread_setcanceltype"),
    over("pthread.h", By::Effects(&[Text(1, 2)], Any), "", "pthread_getname_np"),
    over(
        "pthread.h",
        model!("threads/key.c"),
        "fails or gives any key; no thread ends, so no destructor runs; at most 64 keys",
        "pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific tss_create tss_delete tss_get tss_set",
    ),
    same("pthread.h", Over, "pthread_key_create", "__pthread_key_create"),
    unsupported(
        "pthread.h",
        "returns pointers to memory of the library",
        "pthread_attr_getstack pthread_attr_getstackaddr pthread_mutex_setprioceiling pthread_getaffinity_np pthread_attr_getaffinity_np",
    ),
    over(
        "semaphore.h",
        model!("threads/semaphore.c"),
        "one thread: waiting for ever ends the execution; once one is opened by its name, all may change at any time",
        "sem_init sem_destroy sem_post sem_wait sem_trywait sem_getvalue sem_timedwait sem_clockwait sem_open",
    ),
    over("semaphore.h", By::Effects(&[], Any), "", "sem_close sem_unlink"),
    over(
        "sched.h",
        By::Effects(&[], Any),
        "",
        "sched_yield sched_setscheduler sched_getscheduler sched_setparam sched_get_priority_max sched_get_priority_min sched_getcpu sched_setaffinity",
    ),
    over("sched.h", By::Effects(&[Pointee(1)], Any), "", "sched_getparam sched_rr_get_interval"),
    over("sched.h", By::Effects(&[Pointee(0), Pointee(1)], Any), "", "getcpu"),
    over("pthread.h", By::Effects(&[Pointee(0)], Any), "", "pthread_getattr_default_np"),
    unsupported("sched.h", "sets of processors", "sched_getaffinity __sched_cpucount __sched_cpualloc __sched_cpufree"),
    over("threads.h", By::Effects(&[Pointee(0)], Natural), "one thread", "mtx_init cnd_init"),
    over(
        "threads.h",
        By::Effects(&[], Natural),
        "one thread: no lock is ever waited for; locks may find an error",
        "mtx_lock mtx_unlock",
    ),
    over(
        "threads.h",
        By::Effects(&[], Zero),
        "one thread: nobody waits",
        "mtx_destroy cnd_signal cnd_broadcast cnd_destroy",
    ),
    over("threads.h", By::Effects(&[], Any), "one thread", "mtx_trylock mtx_timedlock thrd_detach"),
    over("threads.h", By::Effects(&[], Zero), "", "thrd_yield"),
    over("threads.h", By::Effects(&[Pointee(1)], Any), "", "thrd_sleep"),
    unsupported("threads.h", "waits for another thread", "thrd_join thrd_exit cnd_wait cnd_timedwait"),
    over("stdatomic.h", By::Effects(&[], Zero), "one thread", "atomic_thread_fence atomic_signal_fence"),
    unsupported(
        "mqueue.h",
        "messages of other processes",
        "mq_open mq_close mq_unlink mq_send mq_receive mq_timedsend mq_timedreceive mq_notify mq_getattr mq_setattr",
    ),
    unsupported(
        "aio.h",
        "changes memory later",
        "aio_read aio_write aio_error aio_return aio_suspend aio_cancel aio_fsync lio_listio",
    ),
    over("sys/sysinfo.h", By::Effects(&[], Natural), "", "get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages"),
];
